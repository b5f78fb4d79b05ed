import { createDarkTheme, createLightTheme, teamsHighContrastTheme, tokens } from '@fluentui/react-components';
import type { BrandVariants, Theme } from '@fluentui/react-components';

/** One ramp, made from the dark blue of step 60 at constant hue; step 80 is the primary colour of controls. */
export const ramp: BrandVariants = {
  10: '#030C26',
  20: '#031337',
  30: '#041946',
  40: '#061F55',
  50: '#082460',
  60: '#0B2A6B',
  70: '#0F3480',
  80: '#143F99',
  90: '#386EDC',
  100: '#7DA8FA',
  110: '#8EB4FC',
  120: '#9EC0FD',
  130: '#B2CDFE',
  140: '#C6DAFE',
  150: '#DBE8FF',
  160: '#EDF3FE',
};

const font = "'Segoe UI', 'Segoe UI Web (West European)', -apple-system, BlinkMacSystemFont, Roboto, 'Helvetica Neue', sans-serif";

/** What all themes share: corners a little rounder than Fluent's, so that cards and buttons look of one piece. */
const shape = { fontFamilyBase: font, borderRadiusMedium: '6px' } as const;

/** Tokens that Fluent does not have. */
interface OwnTokens {
  /** Of a row of a list under the mouse. */
  readonly rowBackgroundHover: string;
}

const light = createLightTheme(ramp);
export const lightTheme: Theme & OwnTokens = { ...light, ...shape, rowBackgroundHover: light.colorSubtleBackgroundHover };

const dark = createDarkTheme(ramp);
/** Eight changes: a dark blue would disappear on the dark theme's grey. */
export const darkTheme: Theme & OwnTokens = {
  ...dark,
  ...shape,
  rowBackgroundHover: dark.colorSubtleBackgroundHover,
  colorBrandBackground: ramp[90],
  colorBrandBackgroundHover: ramp[80],
  colorBrandBackgroundPressed: ramp[60],
  colorBrandBackgroundSelected: ramp[70],
  colorBrandForegroundLinkPressed: ramp[120],
  colorNeutralForeground2BrandPressed: ramp[120],
  colorNeutralForeground3BrandPressed: ramp[120],
  colorCompoundBrandForeground1Pressed: ramp[120],
};

/** Cards and rows keep their colour under the mouse: the labels and links on them do, and could not be read on the highlight. */
export const highContrastTheme: Theme & OwnTokens = {
  ...teamsHighContrastTheme,
  ...shape,
  colorNeutralCardBackgroundHover: teamsHighContrastTheme.colorNeutralCardBackground,
  colorNeutralCardBackgroundPressed: teamsHighContrastTheme.colorNeutralCardBackground,
  rowBackgroundHover: teamsHighContrastTheme.colorNeutralBackground1,
};

/** The token that is ours, for styles. */
export const rowBackgroundHover = 'var(--rowBackgroundHover)';

/** What the reader chooses; `system` follows the device. */
export const themeChoices = ['system', 'light', 'dark', 'highContrast'] as const;
export type ThemeChoice = (typeof themeChoices)[number];
export type ThemeName = Exclude<ThemeChoice, 'system'>;

export const themes: Readonly<Record<ThemeName, Theme>> = { light: lightTheme, dark: darkTheme, highContrast: highContrastTheme };

/** The top bar is this dark blue in the light and the dark theme; high contrast keeps its own black. */
export const topBarColour: Readonly<Record<ThemeName, string>> = {
  light: ramp[60],
  dark: ramp[60],
  highContrast: highContrastTheme.colorNeutralBackground1,
};

/** Sizes that several parts of the frame must agree on. */
export const layout = {
  topBarHeight: '48px',
  navigationWidth: '248px',
  railWidth: '56px',
  drawerWidth: '480px',
  narrow: '640px',
  contentWidth: '2000px',
  dialogWidth: '960px',
} as const;
export const layers = { skipLink: 1000, topBar: 100, navigation: 90 } as const;

/** The style of what is said to a screen reader and not shown. */
export const spokenOnly = { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' } as const;

/** The style of a sheet that stands out from the page, as a card does. */
export const sheet = {
  padding: tokens.spacingHorizontalL,
  borderRadius: tokens.borderRadiusMedium,
  backgroundColor: tokens.colorNeutralBackground1,
  boxShadow: tokens.shadow4,
} as const;

/** Media queries for styles. */
export const narrowQuery = `(max-width: ${layout.narrow})`;
export const narrowScreen = `@media ${narrowQuery}`;
export const printing = '@media print';
/** Where the top bar has no room for words beside its icons. */
export const crampedScreen = '@media (max-width: 1279px)';
