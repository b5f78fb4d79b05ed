import { Button, Text } from '@fluentui/react-components';
import { reviewMarks, reviewTagBody, tagColours, type ReviewTag } from '@holdfast/contract/review-marks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { TagMark } from './item-tags.tsx';
import type { SetParams } from './reviews.queries.ts';

interface DrawerProps {
  readonly params: Pick<SetParams, 'tenantId' | 'caseId'>;
  readonly onClose: () => void;
}

/** The tags of a case: which there are, how many contents have each, and a form for another. */
export function TagsDrawer({ params: { tenantId, caseId }, onClose }: DrawerProps): ReactElement {
  const text = useText();
  const params = { tenantId, caseId };
  const known = useQuery(read(reviewMarks.tags, { params, quiet: true }));
  const [leaving, setLeaving] = useState<ReviewTag | null>(null);
  const remove = useChange(reviewMarks.removeTag);
  return (
    <DetailDrawer title={text('reviews.tags.title')} onClose={onClose}>
      <Stack>
        {known.isPending && <LoadingShape rows={3} />}
        {known.isError && <FailedState error={known.error} onRetry={() => void known.refetch()} />}
        {known.data?.items.length === 0 && <EmptyState text={text('reviews.tags.empty')} />}
        {known.data?.items.map((tag) => (
          <Row key={tag.tagId}>
            <Text>
              <TagMark colour={tag.colour} />
              {[tag.name, tag.group, text('reviews.tags.contents', { count: tag.contents })].filter((word) => word !== '').join(' · ')}
            </Text>
            <Button size="small" appearance="subtle" aria-label={`${text('common.remove')}: ${tag.name}`} onClick={() => setLeaving(tag)}>
              {text('common.remove')}
            </Button>
          </Row>
        ))}
        <AddTag params={params} onClose={onClose} />
      </Stack>
      {leaving !== null && (
        <ConfirmDialog
          title={text('reviews.tags.removeTitle', { name: leaving.name })}
          text={text('reviews.tags.removeText', { count: leaving.contents })}
          button={text('common.remove')}
          destructive
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ params: { ...params, tagId: leaving.tagId } }, { onSettled: () => setLeaving(null) })}
          onClose={() => setLeaving(null)}
        />
      )}
    </DetailDrawer>
  );
}

const blank = { name: '', colour: 'blue', group: '' } as const;

function AddTag({ params, onClose }: Pick<DrawerProps, 'params' | 'onClose'>): ReactElement {
  const text = useText();
  const add = useChange(reviewMarks.addTag);
  const form = useSchemaForm(reviewTagBody, blank);
  return (
    <Form
      form={form}
      label={text('reviews.tags.add')}
      onSubmit={(body) =>
        add.mutate(
          { params, body },
          {
            onSuccess: () => form.reset(blank),
            onError: showFaultsIn(form),
          },
        )
      }
    >
      <TextField name="name" label={text('reviews.tags.name')} required />
      <SelectField
        name="colour"
        label={text('reviews.tags.colour')}
        choices={tagColours.map((colour) => ({ value: colour, label: text(`reviews.tags.colours.${colour}`) }))}
      />
      <TextField name="group" label={text('reviews.tags.group')} hint={text('reviews.tags.groupHint')} />
      <FormButtons isBusy={add.isPending} submit={text('reviews.tags.add')} onClose={onClose} />
    </Form>
  );
}
