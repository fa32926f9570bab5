"""Asks the weather service."""

import json
import urllib.request

SERVICE = "https://weather.example/v1"


def fetch(place):
    url = f"{SERVICE}/forecast?place={place}"
    with urllib.request.urlopen(url) as answer:
        return json.load(answer)
