import { ApiError } from '../api/api-error.ts';
import {
  Link as FluentLink,
  makeStyles,
  mergeClasses,
  MessageBar,
  MessageBarBody,
  MessageBarTitle,
  tokens,
} from '@fluentui/react-components';
import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { FormProvider, useForm, useFormState } from 'react-hook-form';
import type { DefaultValues, FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import type { PhraseKey, Translate } from '../i18n/phrase-key.ts';
import { useText } from '../i18n/use-text.ts';
import { UnsavedEntries } from './unsaved-entries.tsx';

const useStyles = makeStyles({
  form: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, maxWidth: '640px' },
  wide: { maxWidth: 'none' },
  faults: { margin: 0, paddingInlineStart: tokens.spacingHorizontalL },
});

/** A form over a contract schema: the server and the page say the same about each field. */
export type SchemaForm<Schema extends z.ZodType<unknown, FieldValues>> = UseFormReturn<z.input<Schema>, unknown, z.output<Schema>>;

/** Checks at leaving a field and at submitting; focus goes to the first fault. */
export function useSchemaForm<Schema extends z.ZodType<unknown, FieldValues>>(
  schema: Schema,
  defaults: DefaultValues<z.input<Schema>>,
): SchemaForm<Schema> {
  return useForm<z.input<Schema>, unknown, z.output<Schema>>({
    resolver: zodResolver(schema as never) as never,
    defaultValues: defaults,
    mode: 'onTouched',
    shouldFocusError: true,
  });
}

/** A rule names its text by key; what the server words itself is shown as it is. */
export function faultText(message: string | undefined, text: Translate): string | undefined {
  if (message === undefined || message === '') return undefined;
  if (/^(?:validation|rules)\.\w+$/.test(message)) return text(message as PhraseKey);
  return /^(?:Invalid|Too |Required|Unrecognized|Expected)/.test(message) ? text('validation.invalid') : message;
}

/** Puts the faults that a server answered to their fields; true when there was one. */
export function showServerFaults<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values, unknown, unknown>, 'setError'>,
  faults: Readonly<Record<string, readonly string[]>>,
): boolean {
  const known = Object.entries(faults).filter(([, texts]) => texts.length > 0);
  for (const [position, [field, texts]] of known.entries()) {
    form.setError(field as Path<Values>, { type: 'server', message: texts.join(' ') }, { shouldFocus: position === 0 });
  }
  return known.length > 0;
}

/** Shows what a refused request says of the fields of its form: for `onError`. What is no such answer is shown by who asked. */
export function showFaultsIn<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values, unknown, unknown>, 'setError'>,
): (error: unknown) => void {
  return (error) => {
    if (error instanceof ApiError) showServerFaults(form, error.fields);
  };
}

export interface FormProps<Schema extends z.ZodType<unknown, FieldValues>> {
  readonly form: SchemaForm<Schema>;
  readonly onSubmit: (values: z.output<Schema>) => unknown;
  readonly children: ReactNode;
  readonly label?: string;
  /** Inside another form, which submits both: only the fields, no element of its own. */
  readonly isNested?: boolean;
  /** As wide as the page, for forms of several columns. */
  readonly isWide?: boolean;
}

/** The form element: fields inside find it by context, and leaving asks once something was entered. */
export function Form<Schema extends z.ZodType<unknown, FieldValues>>({
  form,
  onSubmit,
  children,
  label,
  isWide = false,
  isNested = false,
}: FormProps<Schema>): ReactElement {
  const styles = useStyles();
  const submit = form.handleSubmit(async (values) => {
    await onSubmit(values);
  });
  if (isNested) return <FormProvider {...form}>{children}</FormProvider>;
  return (
    <FormProvider {...form}>
      <form
        className={mergeClasses(styles.form, isWide && styles.wide)}
        noValidate
        aria-label={label}
        onSubmit={(event) => void submit(event)}
      >
        <FormEntries />
        {children}
        <FaultSummary />
      </form>
    </FormProvider>
  );
}

function FormEntries(): ReactElement {
  // Fields that begin without a value make a form "dirty" before anybody has typed: only what was changed counts.
  const { dirtyFields } = useFormState();
  return <UnsavedEntries when={Object.keys(dirtyFields).length > 0} />;
}

/** After a failed try: every fault once more, with a way to its field. Below the buttons, where it moves none of them. */
function FaultSummary(): ReactElement | null {
  const text = useText();
  const styles = useStyles();
  const titleId = useId();
  const { errors, submitCount } = useFormState();
  const faults = Object.entries(errors).flatMap(([name, fault]) =>
    typeof fault?.message === 'string' ? [[name, fault.message] as const] : [],
  );
  if (submitCount === 0 || faults.length < 2) return null;
  return (
    <MessageBar intent="error" layout="multiline" aria-labelledby={titleId}>
      <MessageBarBody>
        <MessageBarTitle id={titleId}>{text('common.faultsTitle')}</MessageBarTitle>
        <ul className={styles.faults}>
          {faults.map(([name, message]) => (
            <li key={name}>
              <FluentLink as="button" inline onClick={() => focusField(name)}>
                {faultText(message, text)}
              </FluentLink>
            </li>
          ))}
        </ul>
      </MessageBarBody>
    </MessageBar>
  );
}

function focusField(name: string): void {
  document.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
}
