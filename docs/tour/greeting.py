"""A file to try redraft on."""

GREETING = "hello"


def greet(name):
    return f"{GREETING}, {name}"


def main():
    print(greet("world"))


if __name__ == "__main__":
    main()
