"""How the page looks: Gradio's own theme in calm colours, with fonts that every computer has."""

from typing import Final

import gradio as gr

_FONTS: Final = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "sans-serif")
_COLOURS: Final = {
    # what carries text stands at 4.5:1 or more against what is behind it (WCAG AA); axe checks it in the browser tests
    "color_accent": "*primary_700",
    "button_primary_background_fill": "*primary_700",
    "button_primary_background_fill_hover": "*primary_800",
    "button_primary_text_color": "white",
    "button_cancel_background_fill": "white",
    "button_cancel_background_fill_dark": "*neutral_800",
    "button_cancel_text_color": "#b91c1c",
    "button_cancel_text_color_dark": "#fca5a5",
    "button_cancel_border_color": "#fca5a5",
    "button_cancel_border_color_dark": "#7f1d1d",
    "checkbox_background_color_selected": "*primary_700",
    "checkbox_border_color_selected": "*primary_700",
    "slider_color": "*primary_700",
    "block_label_text_color": "*neutral_700",
    "block_title_text_color": "*neutral_700",
    "block_info_text_color": "*neutral_600",
    "body_text_color_subdued": "*neutral_600",
    "input_placeholder_color": "*neutral_500",
    "block_label_text_color_dark": "*neutral_200",
    "block_title_text_color_dark": "*neutral_200",
    "body_text_color_subdued_dark": "*neutral_300",
    "input_placeholder_color_dark": "*neutral_400",
    "color_accent_soft_dark": "*primary_900",
    "button_primary_background_fill_dark": "*primary_700",
    "button_primary_background_fill_hover_dark": "*primary_600",
    "button_primary_text_color_dark": "white",
}


def theme() -> gr.themes.Base:
    """The theme, in light and dark."""
    plain = gr.themes.Default(
        primary_hue="teal",
        secondary_hue="teal",
        neutral_hue="slate",
        radius_size="lg",
        font=_FONTS,
        font_mono=("ui-monospace", "monospace"),
    )
    return plain.set(**_COLOURS)
