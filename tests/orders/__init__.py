"""Functions whose derivatives are taken in every order and mode: see tests/test_orders.py."""
