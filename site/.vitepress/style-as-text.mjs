import { readFileSync } from 'node:fs';

const ID = '\0parley-style:';

/** A plugin for Vite: the style sheet of the components as a text, as the components take it. */
export function styleAsText() {
  return {
    name: 'style-as-text',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (source !== './style.css' || !importer?.includes('packages/react-ui/src')) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      // Without the ending by which Vite would make it a style of the page.
      return found && ID + found.id.replace(/\.css$/, '');
    },
    load(id) {
      if (!id.startsWith(ID)) return null;
      return `export default ${JSON.stringify(readFileSync(`${id.slice(ID.length)}.css`, 'utf8'))};`;
    },
  };
}
