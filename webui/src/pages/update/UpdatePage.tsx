import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { Loading } from '../../base/Loading';
import { PageHead } from '../../base/PageHead';
import { ChangeDialog } from '../../resources/action/ChangeDialog';
import { FetchPackage } from './FetchPackage';
import { History } from './History';
import { Packages } from './Packages';
import { Progress } from './Progress';
import { Slots } from './Slots';
import { SOFTWARE, isUnderWay, softwareQuery, type Target } from './software';
import { UploadPackage } from './UploadPackage';

/** From a package to the new release, and back: two slots, one of them runs. */
export default function UpdatePage() {
  const { t } = useTranslation();
  const { data: software, isPending } = useQuery(softwareQuery);
  const [installing, setInstalling] = useState<Target>();
  const busy = isUnderWay(software);
  return (
    <div className="page">
      <PageHead
        title={t('Updates')}
        help={t(
          'The array runs from one of two slots. An update is written to the other one while hosts are served; then the array restarts into it, and goes back by itself if it does not serve.',
        )}
      />
      {isPending && <Loading isLine />}
      {software && <Progress software={software} />}
      <Slots isBusy={busy} onInstall={setInstalling} />
      <Packages isBusy={busy} running={software?.version ?? ''} onInstall={setInstalling} />
      <div className="facts">
        <FetchPackage isBusy={busy} />
        <UploadPackage isBusy={busy} />
      </div>
      <History />
      {installing !== undefined && (
        <ChangeDialog
          title={
            installing.asItIs
              ? t('Go back to {{version}} and restart the array', { version: installing.version })
              : t('Install {{version}} and restart the array', { version: installing.version })
          }
          resource={SOFTWARE}
          isDanger
          request={() => ({
            method: 'PATCH',
            path: SOFTWARE,
            body: { version: installing.version },
          })}
          onClose={() => setInstalling(undefined)}
        >
          <p>
            {installing.asItIs
              ? t(
                  'The other slot holds this release, so nothing is written. The array restarts at once: hosts have no path to it until it serves again. If it does not serve, the array comes back to the release that runs now.',
                )
              : t(
                  'Writing takes a minute or two. Then the array restarts: hosts have no path to it until it serves again.',
                )}
          </p>
        </ChangeDialog>
      )}
    </div>
  );
}
