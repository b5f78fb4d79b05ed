import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { ArrowDownloadRegular, CopyRegular } from '@fluentui/react-icons';
import type { AppSetup } from '@holdfast/contract/app-setups';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../../api/portal-context.ts';
import { saveFile } from '../../../api/save-file.ts';
import { useText } from '../../../i18n/use-text.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { Row, Stack } from '../../../ui/layout.tsx';
import { Tabs } from '../../../ui/tabs.tsx';

const ways = ['azureCli', 'powerShell', 'byHand'] as const;
type Way = (typeof ways)[number];

const useStyles = makeStyles({
  script: {
    margin: 0,
    maxHeight: '320px',
    overflow: 'auto',
    padding: tokens.spacingHorizontalM,
    backgroundColor: tokens.colorNeutralBackground3,
    borderRadius: tokens.borderRadiusMedium,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
  },
  steps: { margin: 0, display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
});

/** The script that registers the app, in two languages, or the same by hand. */
export function SetupScript({ setup }: { readonly setup: AppSetup }): ReactElement {
  const text = useText();
  const [way, setWay] = useState<Way>('azureCli');
  return (
    <Stack>
      <Text>{text('setups.registerLead', { count: setup.permissions.length })}</Text>
      <Tabs names={ways} selected={way} word={(name) => text(`setups.${name}`)} onSelect={setWay} />
      {way === 'byHand' ? <ByHand setup={setup} /> : <Script key={way} setup={setup} way={way} />}
    </Stack>
  );
}

function Script({ setup, way }: { readonly setup: AppSetup; readonly way: 'azureCli' | 'powerShell' }): ReactElement {
  const text = useText();
  const name = way === 'azureCli' ? 'register-holdfast.sh' : 'register-holdfast.ps1';
  return (
    <Stack>
      <Text>{text(`setups.${way}Lead`)}</Text>
      <Code label={text(`setups.${way}`)} value={setup.scripts[way]} file={name} />
      <Text>{text('setups.printed')}</Text>
    </Stack>
  );
}

/** Text to take along: copied, or saved as a file. */
function Code({ label, value, file }: { readonly label: string; readonly value: string; readonly file: string }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { toasts } = usePortal();
  const handleCopy = async (): Promise<void> => {
    if (await copyText(value)) toasts.show('success', text('successes.copied'));
  };
  return (
    <Stack>
      <Row>
        <Button appearance="primary" icon={<CopyRegular />} onClick={() => void handleCopy()}>
          {text('common.copy')}
        </Button>
        <Button icon={<ArrowDownloadRegular />} onClick={() => saveFile(new Blob([value], { type: 'text/plain' }), file)}>
          {text('setups.saveFile')}
        </Button>
      </Row>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls a long text by its keys */}
      <pre className={styles.script} tabIndex={0} role="region" aria-label={label}>
        {value}
      </pre>
    </Stack>
  );
}

function ByHand({ setup }: { readonly setup: AppSetup }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { certificate } = setup;
  return (
    <Stack>
      <ol className={styles.steps}>
        <li>{text('setups.handRegister', { name: setup.appName })}</li>
        {certificate === null ? (
          <li>{text('setups.handSecret')}</li>
        ) : (
          <li>
            {text('setups.handCertificate')}{' '}
            <Button
              size="small"
              icon={<ArrowDownloadRegular />}
              onClick={() => saveFile(new Blob([certificate], { type: 'application/pkix-cert' }), 'holdfast.cer')}
            >
              {text('setups.certificateFile')}
            </Button>
          </li>
        )}
        <li>{text('setups.handManifest')}</li>
        <li>{text('setups.handConsent')}</li>
      </ol>
      <Code label={text('setups.manifest')} value={setup.manifest} file="holdfast-manifest.json" />
    </Stack>
  );
}
