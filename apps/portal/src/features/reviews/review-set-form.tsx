import { reviewBody, sampleSizeMax } from '@holdfast/contract/review-values';
import type { ReviewBody, ReviewSet, ReviewSource } from '@holdfast/contract/review-values';
import { reviews } from '@holdfast/contract/reviews';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { SelectField, SwitchField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import type { SchemaForm } from '../../ui/form.tsx';
import type { ReviewProps } from './review-props.ts';
import { readOf } from './review-words.ts';

const everything = 'allQueries';
const sampleSize = 100;

const draft = z
  .object({
    name: reviewBody.shape.name,
    /** `allQueries`, `query:…` or `unreviewed:…`. */
    source: z.string(),
    isSample: z.boolean(),
    size: z.number().int().min(1).max(sampleSizeMax).nullable(),
    seed: z.string().trim().max(100, { error: 'validation.tooLong' }),
  })
  .refine(({ isSample, size }) => !isSample || size !== null, { path: ['size'], error: 'validation.required' })
  .refine(({ isSample, seed }) => !isSample || seed !== '', { path: ['seed'], error: 'validation.required' });
type Draft = z.output<typeof draft>;

function sourceOf(chosen: string): ReviewSource {
  const [kind, id = ''] = chosen.split(':');
  if (kind === 'query') return { kind, queryId: id };
  return kind === 'unreviewed' ? { kind, setId: id } : { kind: everything };
}

function bodyOf({ name, source, isSample, size, seed }: Draft): ReviewBody {
  return { name, source: sourceOf(source), sample: isSample && size !== null ? { size, seed } : null };
}

interface FormProps extends ReviewProps {
  readonly sets: readonly ReviewSet[];
  readonly onMade: (setId: string) => void;
  readonly onClose: () => void;
}

/** Makes a review set of hits, or of a sample of them. */
export function ReviewSetForm({ tenantId, caseId, queries, sets, onMade, onClose }: FormProps): ReactElement {
  const text = useText();
  const create = useChange(reviews.create, { success: 'successes.reviewSetMade' });
  const form = useSchemaForm(draft, { name: '', source: everything, isSample: false, size: sampleSize, seed: '' });
  const title = text('reviews.add');
  const choices = [
    { value: everything, label: text('reviews.allQueries') },
    ...queries.map(({ queryId, name }) => ({ value: `query:${queryId}`, label: text('reviews.ofQuery', { name }) })),
    ...sets
      .filter((set) => readOf(set).all > readOf(set).done)
      .map(({ setId, name }) => ({ value: `unreviewed:${setId}`, label: text('reviews.restOf', { name }) })),
  ];
  const submit = (values: Draft): void =>
    create.mutate(
      { params: { tenantId, caseId }, body: bodyOf(values) },
      {
        onSuccess: (made) => onMade(made.setId),
        onError: showFaultsIn(form),
      },
    );
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form form={form} label={title} onSubmit={submit}>
        <TextField name="name" label={text('reviews.name')} required />
        <SelectField name="source" label={text('reviews.source')} choices={choices} />
        <SwitchField name="isSample" label={text('reviews.draw')} hint={text('reviews.drawHint')} />
        <SampleFields form={form} />
        <FormButtons isBusy={create.isPending} submit={title} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}

function SampleFields({ form }: { readonly form: SchemaForm<typeof draft> }): ReactElement | null {
  const text = useText();
  const isSample = useWatch({ control: form.control, name: 'isSample' });
  if (!isSample) return null;
  return (
    <>
      <TextField name="size" label={text('reviews.size')} type="number" inputMode="numeric" required />
      <TextField name="seed" label={text('reviews.seed')} hint={text('reviews.seedHint')} required />
    </>
  );
}
