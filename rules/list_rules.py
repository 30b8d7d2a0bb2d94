"""What methods of lists and dicts return; what they do to tangents stands in mirrored.py."""
from tangent_lite.registry import entry_for
from tangent_lite.result_kinds import item_of, same_container, scalar_int, value_of_key

for method in (list.pop,):
    entry_for(method).kind = item_of
    entry_for(method).pure = False
    entry_for(method).writes = ("items",)
for method in (list.copy, dict.copy):
    entry_for(method).kind = same_container
entry_for(dict.get).kind = value_of_key
for method in (list.index, list.count):
    entry_for(method).kind = scalar_int
