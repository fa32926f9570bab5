def main():
    if ready:
        start()
        report()
