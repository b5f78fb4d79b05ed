import { Input, makeStyles, Tag, TagGroup, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useController } from 'react-hook-form';
import { useText } from '../i18n/use-text.ts';
import { FieldFrame } from './field-frame.tsx';
import { faultText } from './form.tsx';
import { useAtRest } from './use-at-rest.ts';

const useStyles = makeStyles({ tags: { flexWrap: 'wrap', rowGap: tokens.spacingVerticalXS, marginTop: tokens.spacingVerticalXS } });

export interface TagFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
}

/** Splits what was typed at commas; what is there already is reported, not added twice. */
export function addTags(before: readonly string[], typed: string): { readonly tags: readonly string[]; readonly doubled: boolean } {
  const entries = typed
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const fresh = entries.filter((entry, at) => !before.includes(entry) && entries.indexOf(entry) === at);
  return { tags: [...before, ...fresh], doubled: fresh.length < entries.length };
}

const tagsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** Several short texts: Enter confirms, commas separate. */
export function TagField({ name, label, hint }: TagFieldProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { field, fieldState } = useController({ name });
  const tags = tagsOf(field.value);
  // Leaving the field confirms what was typed, and the tags below it need room.
  const shown = tagsOf(useAtRest(field.value));
  const [typed, setTyped] = useState('');
  const [doubled, setDoubled] = useState(false);
  const fault = doubled ? text('validation.selected') : faultText(fieldState.error?.message, text);
  const confirm = (): void => {
    if (typed.trim() === '') return;
    const added = addTags(tags, typed);
    field.onChange(added.tags);
    setDoubled(added.doubled);
    setTyped('');
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    confirm();
  };
  return (
    <FieldFrame label={label} hint={hint} fault={fault}>
      {(control) => (
        <div>
          <Input
            {...control}
            name={name}
            value={typed}
            onChange={(_event, { value }) => setTyped(value)}
            onKeyDown={handleKey}
            onBlur={() => {
              confirm();
              field.onBlur();
            }}
            style={{ width: '100%' }}
          />
          {shown.length > 0 && (
            <TagGroup
              className={styles.tags}
              aria-label={label}
              onDismiss={(_event, { value }) => field.onChange(tags.filter((tag) => tag !== value))}
            >
              {shown.map((tag) => (
                <Tag key={tag} value={tag} dismissible dismissIcon={{ 'aria-label': text('kit.removeTag', { name: tag }) }}>
                  {tag}
                </Tag>
              ))}
            </TagGroup>
          )}
        </div>
      )}
    </FieldFrame>
  );
}
