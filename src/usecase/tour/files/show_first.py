"""Prints a forecast."""

from weather.parse import days


def line(date, low, high):
    return f"{date}: {low} to {high}"


def show(answer):
    for day in days(answer):
        print(line(*day))
