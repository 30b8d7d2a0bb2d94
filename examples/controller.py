"""Tune a controller as it stands in the code of the plant: an object that remembers.

The controller keeps the sum of its errors and the last one, which at first there is none
(`self.last = None`), and the power of the heater is limited. What it costs to bring a tank to its
temperature - the error over time, and the power used - is differentiated by the three gains,
through the class as it is written.

    python examples/controller.py [STEPS]
"""

import sys

import tangent_lite as tl


class Controller:
    """Proportional, integral and derivative action on an error."""

    def __init__(self, proportional, integral, derivative):
        self.proportional = proportional
        self.integral = integral
        self.derivative = derivative
        self.total = 0.0
        self.last = None

    def step(self, error, dt):
        """The power that is asked for."""
        slope = 0.0 if self.last is None else (error - self.last) / dt
        self.total += error * dt
        self.last = error
        return self.proportional * error + self.integral * self.total + self.derivative * slope


class Tank:
    """Water under a heater that warms up slowly: two temperatures above the room's."""

    def __init__(self):
        self.heater = 0.0
        self.water = 0.0

    def step(self, power, dt):
        """Heat from power to heater to water to room."""
        self.heater += dt * (power - 0.8 * (self.heater - self.water))
        self.water += dt * (0.4 * (self.heater - self.water) - 0.1 * self.water)


def cost(gains, steps, dt=0.1, wanted=1.0):
    """The squared error over time, and a tenth of the squared power."""
    controller = Controller(gains["proportional"], gains["integral"], gains["derivative"])
    tank = Tank()
    total = 0.0
    for _ in range(steps):
        power = controller.step(wanted - tank.water, dt)
        if power > 2.0:
            power = 2.0
        elif power < 0.0:
            power = 0.0
        tank.step(power, dt)
        total += dt * ((wanted - tank.water) ** 2 + 0.1 * power**2)
    return total


def main(steps):
    gains = {"proportional": 0.5, "integral": 0.1, "derivative": 0.0}
    derivative = tl.value_and_grad(cost)
    print(derivative.source_for(gains, steps))
    tl.check_grads(lambda gains: cost(gains, steps), (gains,), order=1)
    print("checked against finite differences: passed")
    rate, (value, slopes) = 0.5, derivative(gains, steps)
    print(f"at first: cost {value:.4f}")
    for _ in range(60):
        tried = {name: gain - rate * slopes[name] for name, gain in gains.items()}
        found, found_slopes = derivative(tried, steps)
        if found < value:
            gains, value, slopes, rate = tried, found, found_slopes, 1.2 * rate
        else:
            rate *= 0.5
    print(f"tuned:    cost {value:.4f}, "
          + ", ".join(f"{name} {gain:.3f}" for name, gain in gains.items()))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
