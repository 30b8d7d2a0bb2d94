"""A double pendulum of unknown masses and spring, fitted to where it was seen swinging.

Only the Lagrangian is written down. Its equations of motion are made of its derivatives inside the
simulation: momenta by `grad`, the mass matrix by `hessian`, accelerations by solving for them.
The fit differentiates all of that once more, with respect to the parameters.

    python examples/pendulums.py [STEPS]
"""

import sys

import numpy as np

from tangent_lite import grad, hessian, jacobian, value_and_grad


def lagrangian(angles, speeds, ratio, stiffness):
    """Kinetic less potential energy, with a spring in the joint; the upper mass is 1."""
    bend = angles[1] - angles[0]
    kinetic = (0.5 * (1.0 + ratio) * speeds[0] ** 2 + 0.5 * ratio * speeds[1] ** 2
               + ratio * speeds[0] * speeds[1] * np.cos(bend))
    height = -(1.0 + ratio) * np.cos(angles[0]) - ratio * np.cos(angles[1])
    return kinetic - height - 0.5 * stiffness * bend ** 2


momenta = grad(lagrangian, wrt=1)


def accelerations(angles, speeds, ratio, stiffness):
    """Euler and Lagrange: M a = dL/dq - (dp/dq) v, M the Hessian of L in the speeds v."""
    masses = hessian(lagrangian, wrt=1)(angles, speeds, ratio, stiffness)
    forces = grad(lagrangian, wrt=0)(angles, speeds, ratio, stiffness)
    turning = jacobian(momenta, wrt=0)(angles, speeds, ratio, stiffness)
    return np.linalg.solve(masses, forces - turning @ speeds)


def swing(ratio, stiffness, steps, dt=0.02):
    """The angles at each step, shape (steps, 2)."""
    angles = np.array([0.8, -0.3])
    speeds = np.zeros(2)
    seen = np.zeros((steps, 2))
    for i in range(steps):
        speeds = speeds + dt * accelerations(angles, speeds, ratio, stiffness)
        angles = angles + dt * speeds
        seen[i] = angles
    return seen


def misfit(parameters, seen):
    ratio, stiffness = np.exp(parameters[0]), np.exp(parameters[1])
    return np.mean((swing(ratio, stiffness, len(seen)) - seen) ** 2)


def main(steps):
    seen = swing(0.6, 2.0, steps)
    slope = value_and_grad(misfit)
    parameters = np.log(np.array([0.5, 2.5]))
    loss, direction = slope(parameters, seen)
    shift = 1e-5 * np.array([1.0, -1.0])
    difference = (misfit(parameters + shift, seen) - misfit(parameters - shift, seen)) / 2.0
    print(f"gradient along a line {direction @ shift:.6e}, by differences {difference:.6e}")
    rate = 0.05 / np.linalg.norm(direction)
    for _ in range(30):
        trial = parameters - rate * direction
        new_loss, new_direction = slope(trial, seen)
        if new_loss < loss:
            parameters, loss, direction = trial, new_loss, new_direction
            rate = 1.2 * rate
        else:
            rate = 0.4 * rate
    ratio, stiffness = np.exp(parameters)
    print(f"misfit {loss:.2e}: ratio {ratio:.3f} (0.6), stiffness {stiffness:.3f} (2.0)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
