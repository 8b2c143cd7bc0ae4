import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** Mekong green from pale to deep; the brand's own shade is the eighth (light) and the fourth (dark). */
const mekong: MantineColorsTuple = [
  '#eef7f4',
  '#ddeee8',
  '#bcdcd2',
  '#7ad3bb',
  '#4fb59b',
  '#2b957c',
  '#167560',
  '#0b5d4e',
  '#094c40',
  '#063a31',
];

export const theme = createTheme({
  primaryColor: 'mekong',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  colors: { mekong },
  fontFamily: '"Google Sans Variable", system-ui, "Noto Sans Thai", "Noto Sans Lao", sans-serif',
  fontFamilyMonospace: '"Google Sans Variable", system-ui, sans-serif',
  headings: { fontWeight: '700' },
  lineHeights: { xs: '1.5', sm: '1.5', md: '1.6', lg: '1.6', xl: '1.6' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  // An element that is no item has no place in a menu; its first item is focused instead.
  components: { Menu: { defaultProps: { withInitialFocusPlaceholder: false } } },
});
