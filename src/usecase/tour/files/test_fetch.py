from unittest import mock

from weather import fetch


def test_it_tries_again():
    with mock.patch("urllib.request.urlopen", side_effect=OSError) as opened:
        try:
            fetch.fetch("Lisbon")
        except OSError:
            pass
    assert opened.call_count == fetch.TRIES
