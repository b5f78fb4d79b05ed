import { expect, test } from 'vitest';
import { darkTheme, highContrastTheme, lightTheme, ramp } from './theme.ts';

function channel(hex: string, at: number): number {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replaceAll(/[0-9a-f]/gi, '$&$&') : hex;
  return 0.2126 * channel(full, 1) + 0.7152 * channel(full, 3) + 0.0722 * channel(full, 5);
}

function contrast(left: string, right: string): number {
  const [high, low] = [luminance(left), luminance(right)].toSorted((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

type Tokens = typeof lightTheme;
const surfaces = (['1', '2', '3'] as const).flatMap((level) =>
  (['', 'Hover', 'Selected'] as const).map((state) => `colorNeutralBackground${level}${state}` as keyof Tokens),
);
const brandTexts: readonly (keyof Tokens)[] = [
  'colorBrandForeground1',
  'colorBrandForegroundLink',
  'colorBrandForegroundLinkHover',
  'colorBrandForegroundLinkPressed',
  'colorCompoundBrandForeground1',
  'colorCompoundBrandForeground1Hover',
  'colorCompoundBrandForeground1Pressed',
  'colorNeutralForeground2BrandHover',
  'colorNeutralForeground2BrandPressed',
  'colorNeutralForeground3BrandPressed',
];

test.each([
  ['light', lightTheme],
  ['dark', darkTheme],
] as const)('every brand text has 4.5:1 on every neutral surface of the %s theme', (_name, theme) => {
  for (const text of brandTexts) {
    for (const surface of surfaces) {
      const ratio = contrast(String(theme[text]), String(theme[surface]));
      expect(ratio, `${text} ${theme[text]} on ${surface} ${theme[surface]}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test('text, links and labels of a row read well under the mouse, in high contrast too', () => {
  for (const theme of [lightTheme, darkTheme, highContrastTheme])
    for (const text of ['colorNeutralForeground1', 'colorNeutralForeground2', 'colorBrandForegroundLink'] as const)
      expect(
        contrast(theme[text], theme.rowBackgroundHover),
        `${text} ${theme[text]} on ${theme.rowBackgroundHover}`,
      ).toBeGreaterThanOrEqual(4.5);
});

test('white on the top bar and on the primary button of the light theme reads well', () => {
  expect(contrast('#FFFFFF', ramp[60])).toBeGreaterThan(13.4);
  expect(contrast('#FFFFFF', ramp[80])).toBeGreaterThan(9.4);
  expect(lightTheme.colorBrandBackground).toBe(ramp[80]);
});

test('a primary button of the dark theme stands out from the page and its label reads well', () => {
  expect(contrast(darkTheme.colorBrandBackground, darkTheme.colorNeutralBackground1)).toBeGreaterThanOrEqual(3);
  for (const state of ['', 'Hover', 'Pressed', 'Selected'] as const) {
    expect(contrast('#FFFFFF', darkTheme[`colorBrandBackground${state}`])).toBeGreaterThanOrEqual(4.5);
  }
});

test('the primary colour is a dark blue', () => {
  const primary = lightTheme.colorBrandBackground;
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(primary.slice(at, at + 2), 16)) as [number, number, number];
  expect(blue).toBeGreaterThan(2 * Math.max(red, green));
  expect(luminance(primary)).toBeLessThan(0.1);
});
