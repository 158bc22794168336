"""Tables of bytes as the literals that they are.

``bytes((1, 2))`` keeps its tuple on a board beside the bytes that are made of it.
"""

import ast


class _Written(ast.NodeTransformer):
    def visit_Call(self, node):
        self.generic_visit(node)
        plain = isinstance(node.func, ast.Name) and node.func.id == "bytes"
        if not (plain and len(node.args) == 1 and isinstance(node.args[0], ast.Tuple)):
            return node
        every = node.args[0].elts
        values = [part.value for part in every if isinstance(part, ast.Constant)]
        numbers = [one for one in values if type(one) is int and one in range(256)]
        if len(numbers) < len(every):
            return node
        return ast.copy_location(ast.Constant(bytes(numbers)), node)


def written(source: str) -> str:
    """Return ``source`` with ``bytes((...))`` of numbers as a literal."""
    tree = ast.parse(source)
    return ast.unparse(ast.fix_missing_locations(_Written().visit(tree)))
