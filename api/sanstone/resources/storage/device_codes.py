"""ONTAP's error codes for LUNs and for namespaces."""

from __future__ import annotations

from sanstone.resources.storage.thin_device_fields import Codes

LUN = Codes(
    taken="5374242",
    rename_taken="1254196",
    bad_name="5374127",
    no_name="5374862",
    no_volume="5374859",
    mismatch="5374858",
    required="5374884",
    too_small="5374124",
    too_large="5374125",
    bad_size="5374130",
    shrink="5374892",
    mapped="1254197",
    source_by_name="5374876",
    source_by_uuid="5374875",
    not_with_source="5374883",
    same_size="1254226",
)
NAMESPACE = Codes(
    taken="72089725",
    rename_taken="72089725",
    bad_name="72089732",
    no_name="72090013",
    no_volume="72090014",
    mismatch="72090014",
    required="72090013",
    too_small="72089723",
    too_large="72089724",
    bad_size="72089723",
    shrink="72090038",
    mapped="72089796",
    source_by_name="72090007",
    source_by_uuid="72090006",
    not_with_source="72090012",
)
