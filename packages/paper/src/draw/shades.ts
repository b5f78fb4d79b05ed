import type { Ink } from '@holdfast/contract/paper';

/** Shades that can be told apart in print without colour. */
export const SHADES: Readonly<Record<Ink, string>> = {
  brand: '#0f3d75',
  success: '#1a7f37',
  warning: '#d18700',
  danger: '#b3261e',
  neutral: '#8a8f98',
  text: '#1b1b1b',
  quiet: '#555555',
  grid: '#d5d9e0',
};
