import { Dropdown, Field, Option } from '@fluentui/react-components';
import type { Location } from '@holdfast/contract/locations';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';

export interface LocationChoiceProps {
  readonly locations: readonly Location[];
  readonly chosen: Location;
  readonly onChoose: (locationId: string) => void;
}

/** Which location is meant; nothing where there is only one. */
export function LocationChoice({ locations, chosen, onChoose }: LocationChoiceProps): ReactElement | null {
  const text = useText();
  if (locations.length < 2) return null;
  return (
    <Field label={text('jobs.location')}>
      <Dropdown
        value={chosen.name}
        selectedOptions={[chosen.locationId]}
        onOptionSelect={(_event, { optionValue }) => {
          if (optionValue !== undefined) onChoose(optionValue);
        }}
      >
        {locations.map((one) => (
          <Option key={one.locationId} value={one.locationId}>
            {one.name}
          </Option>
        ))}
      </Dropdown>
    </Field>
  );
}
