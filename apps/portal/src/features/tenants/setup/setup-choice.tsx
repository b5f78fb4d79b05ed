import { Checkbox, Field, Input, Label, makeStyles, Radio, RadioGroup, Switch, tokens } from '@fluentui/react-components';
import type { AppSetupBody } from '@holdfast/contract/app-setups';
import { workloads } from '@holdfast/contract/values';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { useText } from '../../../i18n/use-text.ts';
import { faultText } from '../../../ui/form.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { WorkloadIcon } from '../../../ui/workload-look.tsx';

const useStyles = makeStyles({
  boxes: { display: 'flex', flexDirection: 'column' },
  label: { display: 'inline-flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

export interface SetupChoiceProps {
  readonly wanted: AppSetupBody;
  /** The refusal of the server, when there was one. */
  readonly faults: Error | null;
  readonly onChange: (wanted: AppSetupBody) => void;
}

/** What the app may do: everything is chosen, so that Next is all that most people need. */
export function SetupChoice({ wanted, faults, onChange }: SetupChoiceProps): ReactElement {
  const text = useText();
  const labelId = useId();
  const styles = useStyles();
  const fault = faults instanceof ApiError ? faultText(faults.fields['appName']?.[0], text) : undefined;
  const toggle = (workload: (typeof workloads)[number], isOn: boolean): void =>
    onChange({ ...wanted, workloads: workloads.filter((one) => (one === workload ? isOn : wanted.workloads.includes(one))) });
  return (
    <Stack loose>
      {/* Not a field: it would give each of its boxes the same name. */}
      <div>
        <Label id={labelId}>{text('setups.protect')}</Label>
        <div role="group" aria-labelledby={labelId} className={styles.boxes}>
          {workloads.map((workload) => (
            <Checkbox
              key={workload}
              checked={wanted.workloads.includes(workload)}
              label={
                <span className={styles.label}>
                  <WorkloadIcon workload={workload} />
                  {text(`common.${workload}`)}
                </span>
              }
              onChange={(_event, { checked }) => toggle(workload, checked === true)}
            />
          ))}
        </div>
      </div>
      <Field hint={text('setups.restoresHint')}>
        <Switch
          checked={wanted.restores}
          label={text('setups.restores')}
          onChange={(_event, { checked }) => onChange({ ...wanted, restores: checked })}
        />
      </Field>
      <Field label={text('tenants.credential')}>
        <RadioGroup
          value={wanted.credential}
          onChange={(_event, { value }) => onChange({ ...wanted, credential: value === 'secret' ? 'secret' : 'certificate' })}
        >
          <Radio value="certificate" label={text('setups.certificate')} />
          <Radio value="secret" label={text('setups.secret')} />
        </RadioGroup>
      </Field>
      <Field
        label={text('setups.appName')}
        hint={text('setups.appNameHint')}
        {...(fault === undefined ? {} : { validationMessage: fault })}
        style={{ maxWidth: '400px' }}
      >
        <Input value={wanted.appName} maxLength={100} onChange={(_event, { value }) => onChange({ ...wanted, appName: value })} />
      </Field>
    </Stack>
  );
}
