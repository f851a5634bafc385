# allow: has no opinion
sign
exit 0
