import { useController } from 'react-hook-form';
import { useText } from '../i18n/use-text.ts';
import { faultText } from './form.tsx';

/** What every field is told. */
export interface FieldBasics {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
}

/** What every field shares: its value, its fault in the reader's language, its label. */
export function useField({ name, label, hint, required }: FieldBasics) {
  const text = useText();
  const { field, fieldState } = useController({ name });
  const fault = faultText(fieldState.error?.message, text);
  const frame = {
    label,
    ...(hint === undefined ? {} : { hint }),
    ...(required === undefined ? {} : { required }),
    fault,
  };
  const { ref: bind, ...rest } = field;
  return { field: { ...rest, value: rest.value as unknown }, bind, frame };
}

/** A value as an input shows it. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
