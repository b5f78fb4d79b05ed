import { Tag, TagGroup, makeStyles, tokens } from '@fluentui/react-components';
import type { PolicyPlace } from '@holdfast/contract/retention';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import { useText } from '../../i18n/use-text.ts';
import { FieldFrame } from '../../ui/field-frame.tsx';
import { faultText } from '../../ui/form.tsx';
import { keyOfPlace } from './policy-draft.ts';
import { useRetentionWords } from './retention-words.ts';

const useStyles = makeStyles({ tags: { flexWrap: 'wrap', rowGap: tokens.spacingVerticalXS } });

/** The sites, folders and files of a policy: chosen in the file manager, left out here. */
export function PlaceField({ name }: { readonly name: string }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const words = useRetentionWords();
  const { field, fieldState } = useController({ name });
  const chosen = field.value as readonly PolicyPlace[];
  return (
    <FieldFrame
      label={text('retention.places')}
      hint={text('retention.placesHint')}
      fault={faultText(fieldState.error?.message, text)}
      required
    >
      {({ id, 'aria-describedby': describedBy }) => (
        <div
          ref={field.ref}
          tabIndex={-1}
          {...(id === undefined ? {} : { id })}
          role="group"
          aria-label={text('retention.places')}
          aria-describedby={describedBy}
        >
          <TagGroup
            className={styles.tags}
            aria-label={text('retention.places')}
            onDismiss={(_event, { value }) => field.onChange(chosen.filter((place) => keyOfPlace(place) !== value))}
          >
            {chosen.map((place) => (
              <Tag
                key={keyOfPlace(place)}
                value={keyOfPlace(place)}
                dismissible
                dismissIcon={{ 'aria-label': text('retention.removeMailbox', { name: words.place(place) }) }}
              >
                {words.place(place)}
              </Tag>
            ))}
          </TagGroup>
        </div>
      )}
    </FieldFrame>
  );
}
