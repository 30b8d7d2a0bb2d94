"""CuPy's functions, which are NumPy's by name: rules of NumPy's, run by CuPy on its arrays."""
import cupy

from tangent_lite.registry.libraries import gives_library, named_as_in_numpy

named_as_in_numpy(cupy, cupy.ndarray)
gives_library(cupy.get_array_module, cupy, cupy.ndarray)
