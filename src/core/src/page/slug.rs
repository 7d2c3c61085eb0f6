//! Anchors of headings in the common conventions.
