"""Threads: what they compute is not seen where they are started, and so is refused."""
import threading
from concurrent.futures import Executor
from concurrent.futures.thread import ThreadPoolExecutor

from tangent_lite.registry import refuse

refuse(threading.Thread, threading.Timer, ThreadPoolExecutor, Executor.map, Executor.submit,
       ThreadPoolExecutor.submit,
       why="what another thread computes is not followed",
       instead="call the function itself, in a loop; differentiate what one thread does, and start "
               "the threads around that")
