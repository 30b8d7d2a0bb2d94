"""What is refused, and in which sequences of modes."""
from tests.orders.derivatives import SEQUENCES

REFUSED = {}
