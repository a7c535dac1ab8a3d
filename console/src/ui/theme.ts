import { colorsTuple, createTheme, DEFAULT_THEME, Modal, type CSSVariablesResolver } from '@mantine/core';

/** Mantine's red, dark enough for white text on it. */
const RED = colorsTuple([...DEFAULT_THEME.colors.red.slice(0, 7), '#c92a2a', '#c92a2a', '#a51111']);

export const THEME = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  respectReducedMotion: true,
  colors: { red: RED },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' } } },
  components: {
    // The lock on scrolling would put a style into the page that the policy refuses.
    Modal: Modal.extend({ defaultProps: { lockScroll: false, centered: true } }),
  },
});

/** Colours; Mantine's own dimmed ones have too little contrast to read. */
const LIGHT = {
  '--mantine-color-dimmed': '#565d64',
  '--mantine-color-placeholder': '#6a7178',
  '--mantine-color-error': '#c92a2a',
  '--line': 'var(--mantine-color-gray-3)',
  '--soft': 'var(--mantine-color-gray-0)',
  '--link': 'var(--mantine-color-indigo-8)',
  '--good': '#06664a',
  '--bad': '#b02020',
  '--tone-waiting': '#7a4f00',
  '--tone-info': '#22429e',
  '--tone-neutral': '#495057',
  '--series-0': '#3b5bdb',
  '--series-1': '#0b7285',
  '--series-2': '#c2255c',
  '--series-3': '#a14b00',
};
const DARK = {
  '--mantine-color-dimmed': '#adb0b5',
  '--mantine-color-placeholder': '#9a9ea4',
  '--mantine-color-error': '#ff8787',
  '--line': 'var(--mantine-color-dark-4)',
  '--soft': 'var(--mantine-color-dark-6)',
  '--link': 'var(--mantine-color-indigo-3)',
  '--good': '#63e6be',
  '--bad': '#ffa8a8',
  '--tone-waiting': '#ffd43b',
  '--tone-info': '#91a7ff',
  '--tone-neutral': '#ced4da',
  '--series-0': '#91a7ff',
  '--series-1': '#3bc9db',
  '--series-2': '#faa2c1',
  '--series-3': '#ffc078',
};

export const VARIABLES: CSSVariablesResolver = variablesOf;

function variablesOf(): ReturnType<CSSVariablesResolver> {
  return { variables: {}, light: LIGHT, dark: DARK };
}
