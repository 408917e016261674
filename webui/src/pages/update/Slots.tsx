import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { Loading } from '../../base/Loading';
import { ReasonedButton } from '../../base/ReasonedButton';
import { formatTime } from '../../base/times';
import { State } from '../../resources/State';
import { useDisabledReason } from '../../session/useSession';
import { type Image, imagesQuery, packagesQuery, SOFTWARE, type Target } from './software';

interface Props {
  isBusy: boolean;
  onInstall: (target: Target) => void;
}

/** Which release is in which slot, which runs, and the way back to the other one. */
export function Slots({ isBusy, onInstall }: Props) {
  const { t } = useTranslation();
  const reason = useDisabledReason();
  const { data: images, isPending } = useQuery(imagesQuery);
  const { data: packages = [] } = useQuery(packagesQuery);
  if (isPending) return <Loading />;
  if (!images) return null;
  const current = images.find((image) => image.is_current);
  const other = images.find((image) => !image.is_current);
  const back = other?.version;
  const isStored = packages.some(({ version }) => version === back);
  const asItIs = other?.can_go_back ?? false;

  function obstacle(): string | undefined {
    if (isBusy) return t('An update is under way.');
    if (current?.state === 'on_trial') return t('The release that runs is still on trial.');
    if (!asItIs && !isStored)
      return t(
        'It cannot be started as it is: it failed, or it does not know the configuration as it is now. Fetch or upload its package to see whether it can be installed.',
      );
    return reason('PATCH', SOFTWARE);
  }

  return (
    <section className="card" aria-label={t('Slots')}>
      <h2>{t('Slots')}</h2>
      {!images.length && (
        <p>
          {t(
            'This array was not started from a system disk, so it has no slots and cannot be updated. Install it first.',
          )}
        </p>
      )}
      <div className="slots">
        {images.map((image) => (
          <Slot key={image.image} image={image} />
        ))}
      </div>
      {back && back !== current?.version && (
        <ReasonedButton
          variant="secondary"
          reason={obstacle()}
          onClick={() => onInstall({ version: back, asItIs })}
        >
          {t('Go back to release {{version}}', { version: back })}
        </ReasonedButton>
      )}
    </section>
  );
}

function Slot({ image }: { image: Image }) {
  const { t, i18n } = useTranslation();
  return (
    <div className={image.is_current ? 'slot is-current' : 'slot'}>
      <h3>{image.version ? t('Release {{version}}', { version: image.version }) : t('Empty')}</h3>
      <p>
        {image.image} {image.is_current ? t('· runs now') : t('· does not run')}
        {image.is_default && !image.is_current && ` ${t('· starts next')}`}
      </p>
      {image.version && (
        <State value={image.state === 'bad' ? 'cannot_be_started' : (image.state ?? 'unknown')} />
      )}
      <p className="quiet">
        {image.install_date
          ? t('Written {{time}}', { time: formatTime(image.install_date, i18n.language) })
          : image.version && t('Written when the array was installed')}
      </p>
    </div>
  );
}
