import { Dropdown, Field, Option } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useSearchParams } from 'react-router';

/** A value of the address that the whole report depends on, its sums included. A change begins at the first page. */
export function useReportChoice(name: string): readonly [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const change = (value: string): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete('after');
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return [params.get(name) ?? '', change];
}

interface ReportChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

/** One of a few values. */
export function ReportChoice({ label, value, choices, onChange }: ReportChoiceProps): ReactElement {
  return (
    <Field label={label}>
      <Dropdown
        value={choices.find((choice) => choice.value === value)?.label ?? ''}
        selectedOptions={[value]}
        onOptionSelect={(_event, { optionValue = '' }) => onChange(optionValue)}
      >
        {choices.map((choice) => (
          <Option key={choice.value} value={choice.value}>
            {choice.label}
          </Option>
        ))}
      </Dropdown>
    </Field>
  );
}

export interface FilePlace {
  readonly locationId: string;
  readonly sourceId: string;
  readonly folderId: string | null;
  readonly name: string;
}

/** A file in the file manager: its folder, narrowed to its name. */
export function fileLink({ locationId, sourceId, folderId, name }: FilePlace): string {
  const query = new URLSearchParams({
    location: locationId,
    source: sourceId,
    ...(folderId === null ? {} : { node: folderId }),
    search: name,
  });
  return `/compliance?${query.toString()}`;
}
