import { Button, makeStyles, Text } from '@fluentui/react-components';
import { reviewMarks, reviewNoteBody, type ReviewNote } from '@holdfast/contract/review-marks';
import type { ReviewItem } from '@holdfast/contract/review-values';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read, useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { TextAreaField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import type { SetParams } from './reviews.queries.ts';

// A note keeps its lines.
const useStyles = makeStyles({ text: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } });

interface NotesProps {
  readonly params: SetParams;
  readonly item: ReviewItem;
}

/** What reviewers noted about a content, and room for more. */
export function ItemNotes({ params, item }: NotesProps): ReactElement {
  const text = useText();
  const place = { ...params, position: item.position };
  const found = useQuery(read(reviewMarks.notes, { params: place, quiet: true }));
  const add = useChange(reviewMarks.addNote);
  const remove = useChange(reviewMarks.removeNote);
  const form = useSchemaForm(reviewNoteBody, { text: '' });
  const refresh = (): void => void found.refetch();
  return (
    <Stack>
      {found.isError && <FailedState error={found.error} title={text('failures.retrieve')} onRetry={refresh} />}
      {(found.data?.items ?? []).map((note) => (
        <Note
          key={note.noteId}
          note={note}
          onRemove={() => remove.mutate({ params: { ...place, noteId: note.noteId } }, { onSuccess: refresh })}
        />
      ))}
      <Form
        form={form}
        label={text('reviews.notes.add')}
        onSubmit={(body) =>
          add.mutate(
            { params: place, body },
            {
              onSuccess: () => {
                form.reset({ text: '' });
                refresh();
              },
            },
          )
        }
      >
        <TextAreaField name="text" label={text('reviews.notes.label')} />
        <div>
          <Button type="submit" size="small" disabledFocusable={add.isPending}>
            {text('reviews.notes.add')}
          </Button>
        </div>
      </Form>
    </Stack>
  );
}

function Note({ note, onRemove }: { readonly note: ReviewNote; readonly onRemove: () => void }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  return (
    <div>
      <Text className={styles.text}>{note.text}</Text>
      <Row>
        <Text size={200}>{text('reviews.by', { reviewer: note.author, date: format.dateTime(note.at) })}</Text>
        {note.isOwn && (
          <Button size="small" appearance="subtle" onClick={onRemove}>
            {text('reviews.notes.remove')}
          </Button>
        )}
      </Row>
    </div>
  );
}
