"""Bundle adjustment, as in ADBench: small vectors and user functions in a loop; then by arrays.

A camera is eleven numbers: rotation (3), centre (3), focal length, principal point (2), radial
distortion (2). An observation is (camera, point), the feature seen, and a weight to be fitted.
"""

import numpy as np
import peers
from harness import Workload


# One observation after the other -----------------------------------------------------------------
def rotate(rotation, x):
    """Rodrigues' formula."""
    square = np.sum(rotation * rotation)
    if square == 0.0:
        return x + np.cross(rotation, x)
    theta = np.sqrt(square)
    cosine = np.cos(theta)
    axis = rotation / theta
    along = np.dot(axis, x) * (1.0 - cosine)
    return x * cosine + np.cross(axis, x) * np.sin(theta) + axis * along


def distort(radial, p):
    """Radial distortion."""
    square = np.sum(p * p)
    return p * (1.0 + radial[0] * square + radial[1] * square * square)


def project(camera, x):
    """Where a camera sees a point."""
    local = rotate(camera[:3], x - camera[3:6])
    return distort(camera[9:11], local[:2] / local[2]) * camera[6] + camera[7:9]


def bundle(cameras, points, weights, features, seen):
    """Weighted squared errors of projection, and of the weights being one."""
    total = 0.0
    for i in range(seen.shape[0]):
        error = project(cameras[seen[i, 0]], points[seen[i, 1]]) - features[i]
        weighted = weights[i] * error
        slack = 1.0 - weights[i] * weights[i]
        total = total + np.sum(weighted * weighted) + slack * slack
    return total


def bundle_hand(cameras, points, weights, features, seen):
    """Each observation forward and back at once, so that nothing is recorded."""
    bcameras = np.zeros_like(cameras)
    bpoints = np.zeros_like(points)
    bweights = np.zeros_like(weights)
    for i in range(seen.shape[0]):
        a, b = seen[i]
        camera = cameras[a]
        rotation, focal, radial = camera[:3], camera[6], camera[9:11]
        x = points[b] - camera[3:6]
        square = rotation @ rotation
        if square == 0.0:
            local = x + np.cross(rotation, x)
        else:
            theta = np.sqrt(square)
            cosine, sine = np.cos(theta), np.sin(theta)
            axis = rotation / theta
            axis_x = np.cross(axis, x)
            dot = axis @ x
            along = dot * (1.0 - cosine)
            local = x * cosine + axis_x * sine + axis * along
        depth = local[2]
        p = local[:2] / depth
        r2 = p @ p
        scale = 1.0 + radial[0] * r2 + radial[1] * r2 * r2
        bent = p * scale
        error = bent * focal + camera[7:9] - features[i]
        w = weights[i]

        bscreen = 2.0 * w * w * error
        bweights[i] = 2.0 * w * (error @ error) - 4.0 * w * (1.0 - w * w)
        bcamera = bcameras[a]
        bcamera[7:9] += bscreen
        bcamera[6] += bscreen @ bent
        bbent = focal * bscreen
        bscale = bbent @ p
        bcamera[9] += bscale * r2
        bcamera[10] += bscale * r2 * r2
        bp = scale * bbent + (2.0 * bscale * (radial[0] + 2.0 * radial[1] * r2)) * p
        blocal = np.empty(3)
        blocal[:2] = bp / depth
        blocal[2] = -(bp @ p) / depth
        if square == 0.0:
            brotation = np.cross(x, blocal)
            bx = blocal + np.cross(blocal, rotation)
        else:
            baxis_x = sine * blocal
            balong = blocal @ axis
            bdot = balong * (1.0 - cosine)
            baxis = np.cross(x, baxis_x) + along * blocal + bdot * x
            bx = cosine * blocal + np.cross(baxis_x, axis) + bdot * axis
            btheta = (
                cosine * (blocal @ axis_x)
                - sine * (blocal @ x - balong * dot)
                - (baxis @ axis) / theta
            )
            brotation = baxis / theta + btheta * axis
        bcamera[:3] += brotation
        bcamera[3:6] -= bx
        bpoints[b] += bx
    return bcameras, bpoints, bweights


# All observations at once ------------------------------------------------------------------------
def bundle_arrays(cameras, points, weights, features, seen):
    """The same by whole arrays, for rotations other than zero."""
    camera = cameras[seen[:, 0]]
    x = points[seen[:, 1]] - camera[:, 3:6]
    rotation = camera[:, :3]
    theta = np.sqrt(np.sum(rotation * rotation, axis=1))[:, None]
    cosine = np.cos(theta)
    axis = rotation / theta
    along = np.sum(axis * x, axis=1)[:, None] * (1.0 - cosine)
    local = x * cosine + np.cross(axis, x) * np.sin(theta) + axis * along
    p = local[:, :2] / local[:, 2:]
    square = np.sum(p * p, axis=1)
    scale = 1.0 + camera[:, 9] * square + camera[:, 10] * square * square
    error = p * scale[:, None] * camera[:, 6:7] + camera[:, 7:9] - features
    weighted = weights[:, None] * error
    slack = 1.0 - weights * weights
    return np.sum(weighted * weighted) + np.sum(slack * slack)


def scatter_rows(rows, values, count):
    """Sums of rows of values by row number: flattened, where np.add.at is fast."""
    width = values.shape[1]
    flat = np.zeros(count * width)
    np.add.at(flat, (rows[:, None] * width + np.arange(width)).ravel(), values.ravel())
    return flat.reshape(count, width)


def bundle_arrays_hand(cameras, points, weights, features, seen):
    """Adjoints of the cameras' columns in one array, then two scatters."""
    camera = cameras[seen[:, 0]]
    x = points[seen[:, 1]] - camera[:, 3:6]
    rotation = camera[:, :3]
    theta = np.sqrt(np.sum(rotation * rotation, axis=1))[:, None]
    cosine, sine = np.cos(theta), np.sin(theta)
    axis = rotation / theta
    axis_x = np.cross(axis, x)
    dot = np.sum(axis * x, axis=1)[:, None]
    along = dot * (1.0 - cosine)
    local = x * cosine + axis_x * sine + axis * along
    depth = local[:, 2:]
    p = local[:, :2] / depth
    r2 = np.sum(p * p, axis=1)
    k1, k2 = camera[:, 9], camera[:, 10]
    scale = (1.0 + k1 * r2 + k2 * r2 * r2)[:, None]
    bent = p * scale
    focal = camera[:, 6:7]
    error = bent * focal + camera[:, 7:9] - features
    w2 = weights * weights

    bscreen = (2.0 * w2)[:, None] * error
    bweights = weights * (2.0 * np.sum(error * error, axis=1) - 4.0 * (1.0 - w2))
    bcamera = np.empty_like(camera)
    bcamera[:, 7:9] = bscreen
    bcamera[:, 6] = np.sum(bscreen * bent, axis=1)
    bbent = focal * bscreen
    bscale = np.sum(bbent * p, axis=1)
    bcamera[:, 9] = bscale * r2
    bcamera[:, 10] = bscale * r2 * r2
    bp = scale * bbent + (2.0 * bscale * (k1 + 2.0 * k2 * r2))[:, None] * p
    blocal = np.empty_like(local)
    blocal[:, :2] = bp / depth
    blocal[:, 2] = -np.sum(bp * p, axis=1) / depth[:, 0]
    baxis_x = sine * blocal
    balong = np.sum(blocal * axis, axis=1)[:, None]
    bdot = balong * (1.0 - cosine)
    baxis = np.cross(x, baxis_x) + along * blocal + bdot * x
    bx = cosine * blocal + np.cross(baxis_x, axis) + bdot * axis
    btheta = (
        cosine * np.sum(blocal * axis_x, axis=1)[:, None]
        - sine * (np.sum(blocal * x, axis=1)[:, None] - balong * dot)
        - np.sum(baxis * axis, axis=1)[:, None] / theta
    )
    bcamera[:, :3] = baxis / theta + btheta * axis
    bcamera[:, 3:6] = -bx
    bcameras = scatter_rows(seen[:, 0], bcamera, cameras.shape[0])
    bpoints = scatter_rows(seen[:, 1], bx, points.shape[0])
    return bcameras, bpoints, bweights


def bundle_numba():
    """The loop compiled: Numba does not compile the form by whole arrays."""
    import numba

    return numba.njit(bundle_hand)


# Peers and arguments -----------------------------------------------------------------------------
def bundle_arrays_torch(torch, cameras, points, weights, features, seen):
    """By whole tensors."""
    camera = cameras[seen[:, 0]]
    x = points[seen[:, 1]] - camera[:, 3:6]
    rotation = camera[:, :3]
    theta = torch.sqrt(torch.sum(rotation * rotation, dim=1, keepdim=True))
    cosine = torch.cos(theta)
    axis = rotation / theta
    along = torch.sum(axis * x, dim=1, keepdim=True) * (1.0 - cosine)
    local = x * cosine + torch.linalg.cross(axis, x) * torch.sin(theta) + axis * along
    p = local[:, :2] / local[:, 2:]
    square = torch.sum(p * p, dim=1, keepdim=True)
    scale = 1.0 + camera[:, 9:10] * square + camera[:, 10:] * square * square
    error = p * scale * camera[:, 6:7] + camera[:, 7:9] - features
    weighted = weights[:, None] * error
    slack = 1.0 - weights * weights
    return torch.sum(weighted * weighted) + torch.sum(slack * slack)


def bundle_torch(torch, cameras, points, weights, features, seen):
    """One observation after the other, as in ADBench."""
    total = 0.0
    for i, (a, b) in enumerate(seen.tolist()):
        camera = cameras[a]
        rotation = camera[:3]
        x = points[b] - camera[3:6]
        theta = torch.sqrt(torch.sum(rotation * rotation))
        cosine = torch.cos(theta)
        axis = rotation / theta
        along = torch.dot(axis, x) * (1.0 - cosine)
        local = x * cosine + torch.linalg.cross(axis, x) * torch.sin(theta) + axis * along
        p = local[:2] / local[2]
        square = torch.sum(p * p)
        scale = 1.0 + camera[9] * square + camera[10] * square * square
        error = p * scale * camera[6] + camera[7:9] - features[i]
        weighted = weights[i] * error
        slack = 1.0 - weights[i] * weights[i]
        total = total + torch.sum(weighted * weighted) + slack * slack
    return total


def bundle_jax(jax, cameras, points, weights, features, seen):
    """By vmap over the observations."""
    np = jax.numpy

    def one(camera, x, w, feature):
        rotation = camera[:3]
        x = x - camera[3:6]
        theta = np.sqrt(np.sum(rotation * rotation))
        cosine = np.cos(theta)
        axis = rotation / theta
        along = np.dot(axis, x) * (1.0 - cosine)
        local = x * cosine + np.cross(axis, x) * np.sin(theta) + axis * along
        p = local[:2] / local[2]
        square = np.sum(p * p)
        scale = 1.0 + camera[9] * square + camera[10] * square * square
        error = w * (p * scale * camera[6] + camera[7:9] - feature)
        return np.sum(error * error) + (1.0 - w * w) ** 2

    return np.sum(jax.vmap(one)(cameras[seen[:, 0]], points[seen[:, 1]], weights, features))


def bundle_args(cameras, points, observations):
    """A random scene in front of its cameras."""
    rng = np.random.default_rng(0)
    parameters = np.empty((cameras, 11))
    parameters[:, :3] = 0.3 * rng.normal(size=(cameras, 3))
    parameters[:, 3:6] = 0.5 * rng.normal(size=(cameras, 3)) - np.array([0.0, 0.0, 6.0])
    parameters[:, 6] = rng.uniform(0.8, 1.2, size=cameras)
    parameters[:, 7:9] = 0.1 * rng.normal(size=(cameras, 2))
    parameters[:, 9:] = 0.1 * rng.normal(size=(cameras, 2))
    seen = np.stack(
        (rng.integers(0, cameras, observations), rng.integers(0, points, observations)), axis=1
    )
    return (
        parameters,
        rng.normal(size=(points, 3)),
        rng.uniform(0.5, 1.5, size=observations),
        0.3 * rng.normal(size=(observations, 2)),
        seen,
    )


WORKLOADS = (
    Workload(
        name="bundle",
        title="bundle adjustment, a loop over 100 observations",
        primal=bundle,
        args=lambda: bundle_args(5, 30, 100),
        wrt=("cameras", "points", "weights"),
        hand=bundle_hand,
        variants={"best": bundle_arrays_hand},
        peers={
            "autograd": peers.autograd(),
            "torch": peers.torch(bundle_torch),
            "jax": peers.jax(bundle_jax),
        },
    ),
    Workload(
        name="bundle_arrays",
        title="bundle adjustment by whole arrays, 4000 observations",
        primal=bundle_arrays,
        args=lambda: bundle_args(20, 500, 4000),
        wrt=("cameras", "points", "weights"),
        hand=bundle_arrays_hand,
        peers={
            "autograd": peers.autograd(),
            "torch": peers.torch(bundle_arrays_torch),
            "jax": peers.jax(bundle_jax),
        },
        hand_numba=bundle_numba,
    ),
)
