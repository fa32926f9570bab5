def main():
    if ready:
        start()
        report(1)
