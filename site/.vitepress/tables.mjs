/** A table that is wider than the page is scrolled, also by keyboard. */
export function focusableTables(md) {
  md.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
}
