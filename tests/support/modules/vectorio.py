class _Shape:
    def __init__(self, *, pixel_shader, x=0, y=0, color_index=0, **shape):
        self.pixel_shader, self.x, self.y, self.color_index = pixel_shader, x, y, color_index
        self.hidden = False
        for name in shape:
            setattr(self, name, shape[name])


class Rectangle(_Shape):
    pass


class Circle(_Shape):
    pass


class Polygon(_Shape):
    pass
