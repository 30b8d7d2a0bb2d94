"""The workloads by name, in the order of the table."""

from harness import Workload

from workloads import bundle, dense, layers, mixture, ranking, recurrent, scalars, stencils

MODULES = (scalars, dense, layers, recurrent, stencils, ranking, mixture, bundle)

WORKLOADS: dict[str, Workload] = {
    workload.name: workload for module in MODULES for workload in module.WORKLOADS
}
