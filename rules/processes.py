"""Processes: what another one computes is not seen here, and so is refused."""
import multiprocessing
from concurrent.futures.process import ProcessPoolExecutor
from multiprocessing import Process
from multiprocessing.pool import Pool

from tangent_lite.registry import refuse

refuse(ProcessPoolExecutor, ProcessPoolExecutor.map, ProcessPoolExecutor.submit, Process,
       multiprocessing.Pool, Pool, Pool.map, Pool.map_async, Pool.apply,
       Pool.apply_async, Pool.imap, Pool.imap_unordered, Pool.starmap, Pool.starmap_async,
       why="what another process computes is not followed",
       instead="call the function itself, in a loop; differentiate what one process does, and "
               "start the processes around that")
