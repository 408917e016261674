import { Alert, Button, Progress as Bar } from '@patternfly/react-core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { tell } from '../../base/notice';
import { ReasonedButton } from '../../base/ReasonedButton';
import { formatSize } from '../../base/sizes';
import { useRefresh } from '../../changes/refresh';
import { useDisabledReason } from '../../session/useSession';
import { SOFTWARE } from './software';
import { ended, upload } from './upload';

const UPLOAD = `${SOFTWARE}/upload`;

/** A package that lies on the machine of who looks at this page. */
export function UploadPackage({ isBusy }: { isBusy: boolean }) {
  const { t, i18n } = useTranslation();
  const reason = useDisabledReason();
  const refresh = useRefresh();
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController>(undefined);
  const [file, setFile] = useState<File>();
  const [percent, setPercent] = useState<number>();
  const [error, setError] = useState('');
  // Who leaves the page leaves the file: the browser could not send on.
  useEffect(() => () => running.current?.abort(), []);

  async function send() {
    if (!file) return;
    const controller = (running.current = new AbortController());
    setError('');
    setPercent(0);
    try {
      const { job } = await upload(UPLOAD, file, controller.signal, (part) =>
        setPercent(Math.floor(100 * part)),
      );
      const outcome = job && (await ended(job.uuid));
      if (outcome?.state === 'success') {
        tell('success', t('Package {{name}} was uploaded', { name: file.name }));
        setFile(undefined);
        if (input.current) input.current.value = '';
      } else setError(outcome?.message ?? '');
    } catch (failed) {
      if (!controller.signal.aborted) setError((failed as Error).message);
    } finally {
      setPercent(undefined);
      await refresh();
    }
  }

  const busy = percent !== undefined;
  return (
    <section className="card" aria-label={t('Upload a package')}>
      <h2>{t('Upload a package')}</h2>
      {error && <Alert component="h3" isInline variant="danger" title={error} role="alert" />}
      <div className="upload">
        <div className="upload-file">
          {/* The browser's own field speaks its own language. */}
          <input
            ref={input}
            hidden
            type="file"
            accept=".raucb"
            aria-label={t('File of the package (.raucb)')}
            onChange={(event) => setFile(event.target.files?.[0])}
          />
          <Button variant="secondary" isDisabled={busy} onClick={() => input.current?.click()}>
            {t('Choose a file …')}
          </Button>
          {file ? (
            <span>
              {file.name} <span className="quiet">{formatSize(file.size, i18n.language)}</span>
            </span>
          ) : (
            <span className="quiet">{t('File of the package (.raucb)')}</span>
          )}
        </div>
        {busy && (
          <Bar
            value={percent}
            size="sm"
            aria-label={t('Upload a package')}
            {...(percent === 100 && { label: t('The package is looked at …') })}
          />
        )}
        <div>
          <ReasonedButton
            isDisabled={!file?.size || busy}
            reason={isBusy ? t('An update is under way.') : reason('POST', UPLOAD)}
            onClick={() => void send()}
          >
            {t('Upload')}
          </ReasonedButton>
          {busy && (
            <Button variant="link" onClick={() => running.current?.abort()}>
              {t('Cancel')}
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}
