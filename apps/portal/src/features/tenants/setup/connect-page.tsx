import { Link } from '@fluentui/react-components';
import type { AppSetup, AppSetupBody } from '@holdfast/contract/app-setups';
import { appSetups } from '@holdfast/contract/app-setups';
import { workloads } from '@holdfast/contract/values';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useChosenWorker } from '../../../api/portal-context.ts';
import { useChange } from '../../../api/queries.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Row } from '../../../ui/layout.tsx';
import { Page } from '../../../ui/page.tsx';
import { Stepper } from '../../../ui/stepper.tsx';
import { SetupChoice } from './setup-choice.tsx';
import { noConnection, SetupConnection, useConnection } from './setup-connection.tsx';
import { SetupScript } from './setup-script.tsx';

const emptySetup: AppSetupBody = { appName: 'Holdfast', workloads: [...workloads], restores: true, credential: 'certificate' };
const list = '/configuration/tenants';

/** `/configuration/connect`: registers the app in Microsoft Entra by a script that is made here, and connects the tenant. */
export default function ConnectPage(): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const chosen = useChosenWorker();
  const query = chosen === null ? {} : { organisationId: chosen.clientId };
  const [step, setStep] = useState(0);
  const [wanted, setWanted] = useState(emptySetup);
  const [setup, setSetup] = useState<AppSetup | null>(null);
  const [entered, setEntered] = useState(noConnection);
  const prepare = useChange(appSetups.prepare);
  const connection = useConnection({ setup, entered, query, onConnected: (tenantId) => void navigate(`${list}/${tenantId}`) });

  const handleNext = (): void => {
    if (step === 1) setStep(2);
    if (step === 2) connection.connect();
    if (step !== 0) return;
    if (setup !== null && isSame(setup, wanted)) setStep(1);
    else
      prepare.mutate(
        { query, body: wanted },
        {
          onSuccess: (made) => {
            setSetup(made);
            setStep(1);
          },
        },
      );
  };
  return (
    <Page title={text('setups.title')} lead={text('setups.lead')} crumbs={[{ label: text('tenants.title'), to: list }]}>
      <Row>
        <Link href="/documentation#connectTenant" target="_blank" rel="noopener noreferrer">
          {`${text('setups.guide')} (${text('shell.newTab')})`}
        </Link>
      </Row>
      <Stepper
        steps={[text('setups.stepChoose'), text('setups.stepRegister'), text('setups.stepConnect')]}
        current={step}
        onBack={() => setStep(step - 1)}
        onNext={handleNext}
        finish={text('tenants.connect')}
        busy={prepare.isPending || connection.isBusy}
        blocked={step === 0 && (wanted.workloads.length === 0 || wanted.appName.trim() === '')}
        onCancel={() => void navigate(list)}
      >
        {step === 0 && <SetupChoice wanted={wanted} faults={prepare.error} onChange={setWanted} />}
        {step === 1 && setup !== null && <SetupScript setup={setup} />}
        {step === 2 && setup !== null && <SetupConnection {...{ setup, entered, connection }} onChange={setEntered} />}
      </Stepper>
    </Page>
  );
}

/** Whether what was prepared is still what is wanted: going back and on again makes no second certificate. */
function isSame(setup: AppSetup, { appName, workloads: chosen, restores, credential }: AppSetupBody): boolean {
  return (
    setup.appName === appName.trim() &&
    setup.restores === restores &&
    setup.credential === credential &&
    [...setup.workloads].sort().join() === [...chosen].sort().join()
  );
}
