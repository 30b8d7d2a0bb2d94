"""scipy.signal: filters in sections, and filters that run forward and backward."""
from scipy import signal

from tangent_lite.registry import adjoint, makes_fresh, tangent
from tangent_lite.result_kinds import unknown
from tangent_lite.runtime.scipy_filters import (
    filtfilt_adjoint,
    sections_adjoint,
    sosfiltfilt_adjoint,
)

COEFFICIENTS = "the coefficients of the filter are taken as constant"
AXIS = "it is an axis"
SECTIONS = {"sos": COEFFICIENTS, "axis": AXIS}
TAPS = {"b": COEFFICIENTS, "a": COEFFICIENTS, "axis": AXIS}


@adjoint(signal.sosfilt, kind=unknown, constant=SECTIONS)
def sosfilt(y, sos, x, axis=-1):
    d[x] = sections_adjoint(d[y], sos, x, axis)


@tangent(signal.sosfilt, constant=SECTIONS)
def sosfilt_tangent(y, sos, x, axis=-1):
    d[y] = signal.sosfilt(sos, d[x], axis)


@adjoint(signal.filtfilt, kind=unknown, constant=TAPS)
def filtfilt(y, b, a, x, axis=-1, padtype="odd", padlen=None):
    d[x] = filtfilt_adjoint(d[y], b, a, x, axis, padtype, padlen)


@tangent(signal.filtfilt, constant=TAPS)
def filtfilt_tangent(y, b, a, x, axis=-1, padtype="odd", padlen=None):
    d[y] = signal.filtfilt(b, a, d[x], axis, padtype, padlen)


@adjoint(signal.sosfiltfilt, kind=unknown, constant=SECTIONS)
def sosfiltfilt(y, sos, x, axis=-1, padtype="odd", padlen=None):
    d[x] = sosfiltfilt_adjoint(d[y], sos, x, axis, padtype, padlen)


@tangent(signal.sosfiltfilt, constant=SECTIONS)
def sosfiltfilt_tangent(y, sos, x, axis=-1, padtype="odd", padlen=None):
    d[y] = signal.sosfiltfilt(sos, d[x], axis, padtype, padlen)


makes_fresh(sections_adjoint)


@adjoint(filtfilt_adjoint, kind=unknown, constant=TAPS)
def filtfilt_adjoint_(z, dy, b, a, x, axis=-1, padtype="odd", padlen=None):
    d[dy] = signal.filtfilt(b, a, d[z], axis, padtype, padlen)
    d[x] = None


@tangent(filtfilt_adjoint, constant=TAPS)
def filtfilt_adjoint_tangent(z, dy, b, a, x, axis=-1, padtype="odd", padlen=None):
    d[z] = filtfilt_adjoint(d[dy], b, a, x, axis, padtype, padlen)
    d[x] = None


@adjoint(sosfiltfilt_adjoint, kind=unknown, constant=SECTIONS)
def sosfiltfilt_adjoint_(z, dy, sos, x, axis=-1, padtype="odd", padlen=None):
    d[dy] = signal.sosfiltfilt(sos, d[z], axis, padtype, padlen)
    d[x] = None


@tangent(sosfiltfilt_adjoint, constant=SECTIONS)
def sosfiltfilt_adjoint_tangent(z, dy, sos, x, axis=-1, padtype="odd", padlen=None):
    d[z] = sosfiltfilt_adjoint(d[dy], sos, x, axis, padtype, padlen)
    d[x] = None
