class AnalogIn:
    value = 40000
    reference_voltage = 3.3

    def __init__(self, pin):
        pass
