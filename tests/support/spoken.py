"""Catalogues in which every text that is translated stands between brackets."""

from host.base import catalogues


class Marked(catalogues.Catalogue):
    """A language's catalogue; ``known`` is where its words come from."""

    def __init__(self, language="it", domain="host"):
        known = catalogues.catalogue(language, domain)
        super().__init__(
            {key: tuple(f"⟦{form}⟧" for form in forms) for key, forms in known.texts.items()},
            known.plural,
        )
