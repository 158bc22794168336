"""``python -m host.boards.screens``: compile the screens, the theme and the texts."""

from host.boards.screens.pack import TARGET, build

if __name__ == "__main__":
    data = build()
    TARGET.write_bytes(data)
    print(f"{TARGET}: {len(data)} bytes")
