import encodeQR from 'qr';
import { useTranslation } from 'react-i18next';

import type { Json } from '../../api/client';

/** A new TOTP profile as a QR code, from which an app takes it over. */
export default function InstallCode({ record }: { record: Json }) {
  const { t } = useTranslation();
  // Apps on phones need some light around it, in dark pages too.
  const rows = encodeQR(String(record['install_url']), 'raw', { border: 4 });
  const modules = rows.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  );
  return (
    <div className="install-code">
      <svg
        role="img"
        aria-label={t('QR code for an authenticator app')}
        viewBox={`0 0 ${rows.length} ${rows.length}`}
        shapeRendering="crispEdges"
      >
        <rect width="100%" height="100%" fill="#fff" />
        <path d={modules.join('')} fill="#000" />
      </svg>
      <p>
        {t(
          'Scan this with an authenticator app, or type the secret key into it. The app then shows the verification code below, which changes every 30 seconds.',
        )}
      </p>
    </div>
  );
}
