"""``python -m host.screens``: compile the screens, the theme and the texts."""

from host.screens.pack import TARGET, build

if __name__ == "__main__":
    data = build()
    TARGET.write_bytes(data)
    print(f"{TARGET}: {len(data)} bytes")
