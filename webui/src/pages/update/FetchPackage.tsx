import {
  Alert,
  Button,
  ExpandableSection,
  Form,
  FormGroup,
  Progress as Bar,
  TextInput,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { translated } from '../../api/refusal';
import { Loading } from '../../base/Loading';
import { ReasonedButton } from '../../base/ReasonedButton';
import { useChange } from '../../changes/change';
import { jobsQuery } from '../../changes/jobs';
import { useDeclarations } from '../../declarations/declarations';
import { ShowAs } from '../../resources/form/ShowAs';
import { State } from '../../resources/State';
import { useDisabledReason } from '../../session/useSession';
import { downloadQuery, SOFTWARE } from './software';

const DOWNLOAD = `${SOFTWARE}/download`;

/** A package that lies on a web server. */
export function FetchPackage({ isBusy }: { isBusy: boolean }) {
  const { t } = useTranslation();
  const change = useChange();
  const reason = useDisabledReason();
  const resource = useDeclarations().get(DOWNLOAD);
  const { data: download, isPending } = useQuery(downloadQuery);
  const { data: jobs = [] } = useQuery(jobsQuery);
  const [url, setUrl] = useState('');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState('');
  const runs = download?.state === 'running';
  const job = jobs.find(
    ({ description, state }) => description.includes(SOFTWARE) && state === 'running',
  );
  const body = { url: url.trim(), ...(username && { username }), ...(password && { password }) };

  async function submit(event: FormEvent) {
    event.preventDefault();
    setError('');
    try {
      const text = t('Fetch a package');
      await change({ method: 'POST', path: DOWNLOAD, body, text });
      setPassword('');
    } catch (refused) {
      setError((refused as Error).message);
    }
  }

  async function cancel() {
    if (!job) return;
    const query = { action: 'cancel' };
    const text = t('Cancel {{what}}', { what: t('Fetch a package') });
    try {
      await change({ method: 'PATCH', path: `cluster/jobs/${job.uuid}`, query, body: {}, text });
    } catch (refused) {
      setError((refused as Error).message);
    }
  }

  function obstacle(): string | undefined {
    if (runs) return t('A package is being fetched.');
    return isBusy ? t('An update is under way.') : reason('POST', DOWNLOAD);
  }

  return (
    <section className="card" aria-label={t('Fetch a package')}>
      <h2>{t('Fetch a package')}</h2>
      {isPending && <Loading isLine />}
      {download && download.state !== 'not_started' && (
        <p role="status">
          <State value={download.state ?? 'unknown'} isJob /> {translated(download.message ?? '')}
        </p>
      )}
      {runs && (
        <p>
          <Bar value={job?.progress?.percent ?? 0} size="sm" aria-label={t('Fetch a package')} />
          {job?.cancelable && (
            <Button variant="link" isInline onClick={() => void cancel()}>
              {t('Cancel this job')}
            </Button>
          )}
        </p>
      )}
      <Form onSubmit={(event) => void submit(event)}>
        {error && <Alert component="h3" isInline variant="danger" title={error} role="alert" />}
        <FormGroup label={t('URL of the package')} fieldId="package-url">
          <TextInput
            id="package-url"
            type="url"
            value={url}
            placeholder="https://…/sanstone.raucb"
            onChange={(_event, value) => setUrl(value)}
          />
        </FormGroup>
        <ExpandableSection toggleText={t('The web server asks for a login')}>
          <FormGroup label={t('Name')} fieldId="package-user">
            <TextInput
              id="package-user"
              value={username}
              autoComplete="off"
              onChange={(_event, value) => setUsername(value)}
            />
          </FormGroup>
          <FormGroup label={t('Password')} fieldId="package-password">
            <TextInput
              id="package-password"
              type="password"
              value={password}
              autoComplete="off"
              onChange={(_event, value) => setPassword(value)}
            />
          </FormGroup>
        </ExpandableSection>
        <ShowAs method="POST" path={DOWNLOAD} resource={resource} keys={{}} body={body} />
        <div>
          <ReasonedButton type="submit" isDisabled={!url.trim()} reason={obstacle()}>
            {t('Fetch')}
          </ReasonedButton>
        </div>
      </Form>
    </section>
  );
}
