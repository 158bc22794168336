class PWMOut:
    def __init__(self, pin, *, duty_cycle=0, frequency=500, variable_frequency=False):
        self.duty_cycle, self.frequency = duty_cycle, frequency
