"""Takes the answer apart."""


def days(answer):
    return [(day["date"], day["low"], day["high"]) for day in answer["days"]]
