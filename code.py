"""What a board runs. The program is left by a reset alone, because ending it would close files."""

if __name__ == "__main__":
    from firmware import app

    app.main()  # ends in microcontroller.reset()
